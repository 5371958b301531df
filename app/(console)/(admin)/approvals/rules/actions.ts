'use server'
import { tryRule as tryRuleOnRuns } from '@toolgate/server/runs/replay/try-rule'
import { action } from '@/lib/next/action'

export const tryRule = action(tryRuleOnRuns)
