'use server'
import { tryChange as tryChangeOnRuns } from '@toolgate/server/runs/replay/try-change'
import { action } from '@/lib/next/action'

export const tryChange = action(tryChangeOnRuns)
