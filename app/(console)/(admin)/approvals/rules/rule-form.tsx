'use client'
import { useState } from 'react'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { approvalRules } from '@/lib/domains/approvals/shape'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { ConditionFields } from './condition-fields'
import type { RuleChoices } from './read-choices'
import { type RuleDraft, ruleFieldOf, toRuleInput } from './rule-draft'
import { RuleTrial } from './rule-trial'
import { RunFields } from './run-fields'
import { ScopeFields } from './scope-fields'

const { add, change } = objectActions(approvalRules)

/** A rule as the form was filled from it. */
export type StoredRule = { id: string; updatedAt: string }

/** Shows the form of a rule, and beside it the past runs that the rule would have changed. `stored` null = a new rule. */
export function RuleForm({
  stored,
  initial,
  choices,
}: {
  stored: StoredRule | null
  initial: RuleDraft
  choices: RuleChoices
}) {
  // After a refresh, the draft still belongs to the version that it was made from; a switch changes nothing that is in the form.
  const [first] = useState({ stored, initial })
  const seen = isSwitched(first.initial, initial) ? stored : first.stored
  const form = useActionForm({
    values: initial,
    send: (draft): Promise<ActionResult<unknown>> => {
      const rule = toRuleInput(draft)
      if (seen === null) return add(rule)
      const { enabled: _, ...shown } = rule
      return change({ ...seen, ...shown })
    },
    fieldOf: ruleFieldOf,
    done: (_, { name }) => `Saved ${visibleText(name)}`,
    next: () => '/approvals/rules',
  })
  const draft = form.watch()
  return (
    <div className="grid gap-x-10 gap-y-8 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
      <Form form={form} className="max-w-160 gap-6">
        <ScopeFields draft={draft} choices={choices} />
        <RunFields choices={choices} />
        <ConditionFields draft={draft} choices={choices} />
        {stored === null && (
          <FormField name="enabled" shape={{ kind: 'checkbox', label: 'Rule is on' }} />
        )}
        <FormButtons
          button={stored === null ? 'Add rule' : 'Save rule'}
          failed="The rule was not saved"
          cancel="/approvals/rules"
        />
      </Form>
      <RuleTrial id={stored?.id ?? null} draft={draft} onRefused={form.refuse} />
    </div>
  )
}

/** Returns whether two drafts differ in nothing but the switch. */
function isSwitched(before: RuleDraft, after: RuleDraft): boolean {
  return (
    JSON.stringify({ ...before, enabled: true }) === JSON.stringify({ ...after, enabled: true })
  )
}
