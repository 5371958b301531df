import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { PolicyDraft } from '@/lib/toolset/policy/policy-draft'
import { PolicyTrial, runTrial, TrialInput } from './try-policy'

/** The newest runs that a page tries a change on. */
export const runsOfPage = 1_000

export const tryChange = verb({
  name: 'policy.try-change',
  role: 'admin',
  scope: null,
  summary:
    'Replays the newest runs of some days, at most 1,000, with a change of the policy that is not stored, and returns which it would change.',
  input: z.object({ draft: PolicyDraft, days: TrialInput.shape.days }),
  output: PolicyTrial,
  transaction: false,
  run: ({ ctx }, { draft, days }) =>
    runTrial(ctx, TrialInput.parse({ draft, days, mostRuns: runsOfPage })),
})
