'use server'
import { action } from '@/lib/action'
import { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start-run'

/** Sets a prompt going and returns at once; the run does not depend on this request or its page. */
export const runPrompt = action(StartRunInput, 'member', startRun)
