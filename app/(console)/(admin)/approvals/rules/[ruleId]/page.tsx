import { approvalRuleVerbs } from '@toolgate/server/joined-verbs'
import type { Metadata } from 'next'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { ResourceSwitch } from '@/components/resource/resource-switch'
import { VisibleText } from '@/components/trace/visible-text'
import { approvalRules } from '@/lib/domains/approvals/shape'
import { pageObject } from '@/lib/next/or-not-found'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { Observed } from '../(list)/rule-scope'
import { readChoices } from '../read-choices'
import { draftOf } from '../rule-draft'
import { RulePage } from '../rule-page'
import { RuleActions } from './rule-actions'

const { change } = objectActions(approvalRules)
const ruleAt = pageObject((ctx, id) => approvalRuleVerbs.read(ctx, { id }))

type Props = { params: Promise<{ ruleId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await ruleAt((await params).ruleId)
  return pageTitle(name, 'Rules')
}

export default async function EditRulePage({ params }: Props) {
  const ctx = await requireAdmin()
  const rule = await ruleAt((await params).ruleId)
  const choices = await readChoices(ctx, rule)
  return (
    <RulePage
      title={<VisibleText text={rule.name} />}
      state={<ResourceSwitch fields={approvalRules.fields} send={change} row={rule} />}
      action={<RuleActions id={rule.id} name={rule.name} action={rule.action} />}
      stored={{ id: rule.id, updatedAt: rule.updatedAt }}
      initial={draftOf(rule)}
      choices={choices}
      observed={rule.observed && <Observed observed={rule.observed} />}
    />
  )
}
