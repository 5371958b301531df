'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { useToast } from '@/components/ui/toast'
import type { UnpricedRule } from '@/lib/domains/budgets/schemas'
import { addBudget } from './actions'
import {
  limitFigure,
  type ScopeChoice,
  scopeChoices,
  unitChoices,
  windowChoices,
} from './budget-words'
import { ScopeField, type ScopeNames } from './scope-field'
import { UnpricedField } from './unpriced-field'

type Unit = (typeof unitChoices)[number]['value']
type Window = (typeof windowChoices)[number]['value']
type Draft = {
  scope: ScopeChoice
  scopeId: string | null
  window: Window
  unit: Unit
  unpriced: UnpricedRule
}

const usual: Draft = {
  scope: 'site',
  scopeId: null,
  window: 'month',
  unit: 'micro-usd',
  unpriced: 'refuse',
}

/** Whom it is for, how much, how often it resets. */
export function NewBudget({ names, onClose }: { names: ScopeNames; onClose: () => void }) {
  const router = useRouter()
  const toast = useToast()
  const [draft, setDraft] = useState(usual)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const { unit, unpriced } = draft
  const done = () => {
    toast({ tone: 'ok', title: 'Added the budget' })
    onClose()
    router.refresh()
  }
  return (
    <FormDialog
      title="Add budget"
      description="It counts requests from now on. If several budgets apply, a request must fit in all of them."
      button="Add budget"
      failed="The budget was not added"
      changed={draft !== usual}
      send={(text) => addBudget({ ...draft, amount: limitFigure(text('amount'), unit) })}
      onDone={done}
      onClose={onClose}
    >
      {(wrong, id) => (
        <>
          <Field id={`${id}-scope`} label="For" error={wrong.scope}>
            {(control) => (
              <Select
                {...control}
                options={scopeChoices}
                value={draft.scope}
                onValueChange={(value) => {
                  const scope = scopeChoices.find((each) => each.value === value)?.value
                  if (scope) change({ scope, scopeId: null })
                }}
              />
            )}
          </Field>
          <ScopeField
            id={`${id}-who`}
            scope={draft.scope}
            scopeId={draft.scopeId}
            names={names}
            error={wrong.scopeId}
            onPick={(scopeId) => change({ scopeId })}
          />
          <Field id={`${id}-amount`} label="Limit" error={wrong.amount}>
            {(control) => (
              <div className="flex flex-wrap gap-2">
                <Input
                  {...control}
                  name="amount"
                  inputMode="decimal"
                  autoComplete="off"
                  className="numeric w-32"
                />
                <Select
                  aria-label="Unit"
                  className="w-36"
                  options={unitChoices}
                  value={unit}
                  onValueChange={(value) =>
                    change({
                      unit: unitChoices.find((each) => each.value === value)?.value ?? unit,
                    })
                  }
                />
                <Select
                  aria-label="Resets"
                  className="w-28"
                  options={windowChoices}
                  value={draft.window}
                  onValueChange={(value) => change({ window: value === 'day' ? 'day' : 'month' })}
                />
              </div>
            )}
          </Field>
          {unit === 'micro-usd' && (
            <UnpricedField
              id={`${id}-unpriced`}
              value={unpriced}
              onChange={(rule) => change({ unpriced: rule })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
