'use server'
import { tryTool } from '@toolgate/server/runs/start/try-tool'
import { action } from '@/lib/next/action'

export const tryIt = action(tryTool)
