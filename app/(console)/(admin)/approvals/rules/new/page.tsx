import type { Metadata } from 'next'
import { requireAdmin } from '@/lib/next/require-user'
import { readChoices } from '../read-choices'
import { emptyDraft } from '../rule-draft'
import { RulePage } from '../rule-page'

export const metadata: Metadata = { title: 'Add rule · Rules' }

export default async function NewRulePage() {
  const ctx = await requireAdmin()
  return (
    <RulePage
      title="Add rule"
      stored={null}
      initial={emptyDraft}
      choices={await readChoices(ctx, null)}
    />
  )
}
