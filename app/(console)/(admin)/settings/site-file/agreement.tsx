'use client'
import { useRouter } from 'next/navigation'
import { type RefObject, useState } from 'react'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/next/action'
import type { FieldShape } from '@/lib/shape/field-shape'
import { countOf } from '@/lib/words/format'
import { PlanList } from './plan-list'
import type { PlanView } from './plan-view'

/** `outdated`: the site changed after the plan was made, so nothing was applied. */
export type Applied = { type: 'applied'; steps: number } | { type: 'outdated'; message: string }

export type Apply = (input: {
  text: string
  fingerprint: string
  reason: string
}) => Promise<ActionResult<Applied>>

type Props = {
  compared: { text: string; plan: PlanView; fingerprint: string }
  heading: RefObject<HTMLHeadingElement | null>
  onApply: Apply
  onCompareAgain: () => Promise<void>
  onDone: () => void
}

const reasonShape: FieldShape = {
  kind: 'text',
  label: 'Reason',
  hint: 'Stored in the audit.',
}

/** Shows the plan, and the button that applies exactly this plan. */
export function Agreement({ compared, heading, onApply, onCompareAgain, onDone }: Props) {
  const router = useRouter()
  const toast = useToast()
  const [outdated, setOutdated] = useState<string | null>(null)
  const { plan, text, fingerprint } = compared
  const form = useActionForm({
    values: { reason: '' },
    send: async ({ reason }) => {
      setOutdated(null)
      const result = await onApply({ text, fingerprint, reason })
      router.refresh()
      return result
    },
    onDone: (applied) => {
      if (applied.type === 'outdated') return setOutdated(applied.message)
      const notices = plan.notices.length > 0 && { description: plan.notices.join(' ') }
      toast({ tone: 'ok', title: `${countOf(applied.steps, 'change')} applied`, ...notices })
      onDone()
    },
  })
  const compareAgain = async () => {
    setOutdated(null)
    await onCompareAgain()
  }
  return (
    <section aria-labelledby="plan" className="flex flex-col gap-4">
      <h2 id="plan" ref={heading} tabIndex={-1} className="text-lg">
        Changes it would make
      </h2>
      <PlanList plan={plan} />
      {plan.steps.length > 0 && plan.problems.length === 0 && (
        <Form form={form} className="max-w-160">
          <FormField name="reason" shape={reasonShape} />
          {outdated !== null && (
            <ErrorNotice
              title="Nothing was applied"
              action={<Button onClick={compareAgain}>Compare again</Button>}
            >
              {outdated}
            </ErrorNotice>
          )}
          <FormButtons
            button={`Apply ${countOf(plan.steps.length, 'change')}`}
            failed="Only some changes were applied"
          />
        </Form>
      )}
    </section>
  )
}
