'use client'
import Link from 'next/link'
import { useState } from 'react'
import { BudgetBar } from '@/components/budgets/budget-bar'
import { FormDialog } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { type Budget, budgets, limitFigure, limitText } from '@/lib/domains/budgets/shape'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { changeUserBudget } from '../actions'

/** Shows the budgets of a person, each with a button that changes its limit. */
export function UserBudgets({ budgets: own }: { budgets: readonly Budget[] }) {
  const [changed, setChanged] = useState<Budget | null>(null)
  return (
    <Section
      title="Budgets"
      action={
        <Link href="/budgets" className="text-link underline-offset-2 hover:underline">
          All budgets
        </Link>
      }
    >
      {own.length === 0 && <p className="text-muted">No budget of their own.</p>}
      {own.length > 0 && (
        <ul className="divide-y rounded-md border bg-surface-1">
          {own.map((budget) => (
            <li key={budget.id} className="flex flex-wrap items-center gap-3 p-3">
              <Link href={`/budgets/${budget.id}`} className="text-link hover:underline">
                <VisibleText text={budget.title} />
              </Link>
              <div className="min-w-44 flex-1">
                <BudgetBar {...budget} muted={!budget.enabled} />
              </div>
              <Button onClick={() => setChanged(budget)}>Change limit</Button>
            </li>
          ))}
        </ul>
      )}
      {changed && <ChangeLimit budget={changed} onClose={() => setChanged(null)} />}
    </Section>
  )
}

function ChangeLimit({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const { id, title, unit } = budget
  const form = useActionForm({
    values: { amount: limitText(budget.amount, unit), reason: '' },
    send: ({ amount, reason }) =>
      changeUserBudget({ id, amount: limitFigure(amount, unit), reason }),
    done: 'Limit saved',
    onDone: onClose,
  })
  const label = unit === 'micro-usd' ? 'Limit in US dollars' : `Limit in ${unit}`
  return (
    <FormDialog form={form} title={visibleText(title)} button="Save" onClose={onClose}>
      <FormField
        name="amount"
        controlClass="w-40"
        shape={{ ...budgets.fields.amount, label }}
        autoFocus
      />
      <FormFields fields={{ reason: reasonField }} />
    </FormDialog>
  )
}
