import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { VisibleText } from '@/components/trace/visible-text'
import { requireAdmin } from '@/lib/auth/require-user'
import { findApprovalRule } from '@/lib/domains/approvals/reads'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { readChoices } from '../read-choices'
import { draftOf } from '../rule-draft'
import { RulePage } from '../rule-page'

export const metadata: Metadata = { title: 'Approval rule' }

export default async function EditRulePage({ params }: { params: Promise<{ ruleId: string }> }) {
  const ctx = await requireAdmin()
  const [rule, choices] = await Promise.all([
    findRule(ctx, (await params).ruleId),
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

async function findRule(ctx: Ctx, ruleId: string) {
  try {
    return await findApprovalRule(ctx, { rule: parseId(ruleId, 'This rule') })
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
