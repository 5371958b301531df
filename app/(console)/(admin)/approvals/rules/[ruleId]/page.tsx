import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { pageObject } from '@/lib/auth/or-not-found'
import { requireAdmin } from '@/lib/auth/require-user'
import { approvalRuleVerbs } from '@/lib/toolset/approval-rule-verbs'
import { readChoices } from '../read-choices'
import { draftOf } from '../rule-draft'
import { RulePage } from '../rule-page'

export const metadata: Metadata = { title: 'Rule' }

const ruleAt = pageObject((ctx, id) => approvalRuleVerbs.read(ctx, { id }))

export default async function EditRulePage({ params }: { params: Promise<{ ruleId: string }> }) {
  const ctx = await requireAdmin()
  const rule = await ruleAt((await params).ruleId)
  const choices = await readChoices(ctx, rule)
  return (
    <RulePage
      title={<VisibleText text={rule.name} />}
      stored={{ id: rule.id, updatedAt: rule.updatedAt }}
      initial={draftOf(rule)}
      choices={choices}
    />
  )
}
