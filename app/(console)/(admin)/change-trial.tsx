'use client'
import type { PolicyDraft } from '@toolgate/server/toolset/policy/policy-draft'
import { PastRunsTrial } from '@/components/trace/past-runs-trial'

const days = 30

/** Tries a change of the policy on the runs of 30 days, before it is stored. */
export function ChangeTrial({ draft }: { draft: Partial<PolicyDraft> }) {
  return <PastRunsTrial tried={{ of: 'draft', draft, days }} />
}
