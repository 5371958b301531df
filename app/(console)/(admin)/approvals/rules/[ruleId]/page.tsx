import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { orNotFound } from '@/lib/auth/or-not-found'
import { requireAdmin } from '@/lib/auth/require-user'
import { findApprovalRule } from '@/lib/domains/approvals/reads'
import { parseId } from '@/lib/kernel/parse-id'
import { readChoices } from '../read-choices'
import { draftOf } from '../rule-draft'
import { RulePage } from '../rule-page'

export const metadata: Metadata = { title: 'Rule' }

export default async function EditRulePage({ params }: { params: Promise<{ ruleId: string }> }) {
  const ctx = await requireAdmin()
  const [rule, choices] = await Promise.all([
    orNotFound(async () =>
      findApprovalRule(ctx, { rule: parseId((await params).ruleId, 'This rule') }),
    ),
    readChoices(ctx),
  ])
  return (
    <RulePage
      title={<VisibleText text={rule.name} />}
      stored={{ id: rule.id, updatedAt: rule.updatedAt }}
      initial={draftOf(rule)}
      choices={choices}
    />
  )
}
