'use server'
import { action } from '@/lib/next/action'
import { tryTool } from '@toolgate/server/runs/start/try-tool'

export const tryIt = action(tryTool)
