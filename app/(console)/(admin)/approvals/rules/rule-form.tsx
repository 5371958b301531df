'use client'
import Link from 'next/link'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionError } from '@/lib/kernel/action'
import { ConditionFields } from './condition-fields'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { noErrors, ruleErrors, withoutErrorsOf } from './rule-errors'
import { ScopeFields } from './scope-fields'
import { Simulator } from './simulator'
import { type StoredRule, useSaveRule } from './use-save-rule'

/** What a rule stops, and beside it what it would have stopped. */
export function RuleForm({
  stored,
  initial,
  choices,
}: {
  stored: StoredRule | null
  initial: RuleDraft
  choices: RuleChoices
}) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const { busy, saved, save } = useSaveRule(stored)
  useUnsavedGuard(draft !== initial && !saved)

  const change = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors(withoutErrorsOf(errors, Object.keys(part)))
  }
  const show = (error: ActionError) => {
    flushSync(() => setErrors(ruleErrors(error)))
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setErrors(noErrors)
    const error = await save(draft)
    if (error) show(error)
  }
  const fields = { draft, errors: errors.fields, choices, onChange: change }
  return (
    <div className="grid gap-x-10 gap-y-8 grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
      <form ref={form} noValidate onSubmit={submit} className="flex max-w-160 flex-col gap-6">
        <ScopeFields {...fields} />
        <ConditionFields {...fields} />
        <label className="flex w-fit items-center gap-2" htmlFor="rule-enabled">
          <Checkbox
            id="rule-enabled"
            checked={draft.enabled}
            onCheckedChange={(enabled) => change({ enabled })}
          />
          Rule is on
        </label>
        {errors.general && (
          <ErrorNotice title="The rule was not saved">{errors.general}</ErrorNotice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" loading={busy}>
            {stored === null ? 'Add rule' : 'Save rule'}
          </Button>
          <Button asChild>
            <Link href="/approvals/rules">Cancel</Link>
          </Button>
        </div>
      </form>
      <Simulator
        draft={draft}
        onRefused={(error) => {
          setErrors(noErrors)
          show(error)
        }}
      />
    </div>
  )
}
