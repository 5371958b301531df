import type { ApprovalRow } from '@/lib/runs/list-approvals'

/** Returns who or what decided the call before this answer arrived; null = the call still waits. */
export function staleWords({
  status,
  decidedByLabel,
}: Pick<ApprovalRow, 'status' | 'decidedByLabel'>): string | null {
  const by = decidedByLabel ?? 'Somebody'
  switch (status) {
    case 'pending':
      return null
    case 'approved':
      return `${by} approved this call before your decision arrived.`
    case 'edited':
      return `${by} edited and approved this call before your decision arrived.`
    case 'denied':
      return `${by} denied this call before your decision arrived.`
    case 'expired':
      return 'The approval expired before your decision arrived.'
    case 'void':
      return 'The run ended before your decision arrived.'
    default:
      return status satisfies never
  }
}
