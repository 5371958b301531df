'use client'
import { useRouter } from 'next/navigation'
import { type RefObject, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { countOf } from '@/lib/protocol/format'
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

type Trouble = { type: 'outdated'; message: string } | { type: 'stopped'; error: ActionError }

/** Shows the plan, and the button that applies exactly this plan. */
export function Agreement({ compared, heading, onApply, onCompareAgain, onDone }: Props) {
  const router = useRouter()
  const toast = useToast()
  const [reason, setReason] = useState('')
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [busy, setBusy] = useState(false)
  const { plan, text, fingerprint } = compared

  const apply = async () => {
    setBusy(true)
    setTrouble(null)
    const result = await sendAction(() => onApply({ text, fingerprint, reason }))
    setBusy(false)
    router.refresh()
    if (!result.ok) return setTrouble({ type: 'stopped', error: result.error })
    if (result.value.type === 'outdated') return setTrouble(result.value)
    toast({ tone: 'ok', title: `${countOf(result.value.steps, 'change')} applied` })
    onDone()
  }
  const compareAgain = async () => {
    setTrouble(null)
    await onCompareAgain()
  }
  return (
    <section aria-labelledby="plan" className="flex flex-col gap-4">
      <h2 id="plan" ref={heading} tabIndex={-1} className="text-lg">
        Changes it would make
      </h2>
      <PlanList plan={plan} />
      {plan.steps.length > 0 && plan.problems.length === 0 && (
        <form
          noValidate
          className="flex max-w-160 flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void apply()
          }}
        >
          <Field
            id="site-reason"
            label="Reason"
            hint="Stored with each change and in the audit."
            error={trouble?.type === 'stopped' ? trouble.error.fields?.reason : undefined}
          >
            {(control) => (
              <Input
                {...control}
                required
                autoComplete="off"
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          {trouble && <TroubleNotice trouble={trouble} onCompareAgain={compareAgain} />}
          <Button type="submit" variant="primary" loading={busy} className="self-start">
            Apply {countOf(plan.steps.length, 'change')}
          </Button>
        </form>
      )}
    </section>
  )
}

function TroubleNotice({
  trouble,
  onCompareAgain,
}: {
  trouble: Trouble
  onCompareAgain: () => void
}) {
  if (trouble.type === 'outdated') {
    return (
      <ErrorNotice
        title="Nothing was applied"
        action={<Button onClick={onCompareAgain}>Compare again</Button>}
      >
        {trouble.message}
      </ErrorNotice>
    )
  }
  // Said beside the field.
  if (trouble.error.fields?.reason) return null
  return <ErrorNotice title="Only some changes were applied">{trouble.error.message}</ErrorNotice>
}
