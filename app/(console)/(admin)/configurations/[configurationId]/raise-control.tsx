'use client'
import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction, useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { useToast } from '@/components/ui/toast'
import { policyReasons } from '@/lib/domains/configurations/shape'
import type { DataClass } from '@/lib/protocol/tool'
import { dataClassInSentence, dataClassMeaning } from '@/lib/protocol/trust-words'
import { changePolicy } from '../actions'

type Props = {
  configurationId: string
  /** The provider that would receive the data. */
  provider: string
  higher: DataClass[]
  /** The raised data class; null = not raised. */
  raised: DataClass | null
}

/** Raises the highest data class, with a warning and a reason, or resets it without asking. */
export function RaiseControl({ configurationId, provider, higher, raised }: Props) {
  const id = useId()
  const choices = higher.filter((each) => each !== raised)
  const [wanted, setWanted] = useState<DataClass | undefined>(choices[0])
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const toast = useToast()
  const takeBack = () =>
    act(() => changePolicy({ id: configurationId, raisedDataClass: null }), {
      failed: 'Not removed',
      done: 'Raise removed',
    })
  const raise = async (dataClass: DataClass, reason: string) => {
    const policy = { id: configurationId, raisedDataClass: dataClass, reason }
    const result = await sendAction(() => changePolicy(policy))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', title: `Raised to ${dataClassInSentence(dataClass)}` })
    return null
  }
  return (
    <div className="flex flex-wrap items-end gap-2">
      {wanted !== undefined && (
        <>
          <div className="flex w-full flex-col gap-1 sm:w-96">
            <label htmlFor={id} className="font-medium text-strong">
              Raise the data class to
            </label>
            <Select
              id={id}
              options={choices.map((value) => ({ value, label: dataClassMeaning[value] }))}
              value={wanted}
              onValueChange={(value) => setWanted(choices.find((each) => each === value))}
            />
          </div>
          <Button onClick={() => setAsking(true)}>Allow more data…</Button>
        </>
      )}
      {raised !== null && (
        <Button variant="primary" loading={busy} onClick={takeBack}>
          Remove the raise
        </Button>
      )}
      {asking && wanted !== undefined && (
        <ReasonDialog
          title={`Allow ${dataClassInSentence(wanted)} data`}
          description="Applies to new runs."
          required={policyReasons.raise}
          danger
          onSubmit={(reason) => raise(wanted, reason)}
          onClose={() => setAsking(false)}
        >
          <p className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3 text-sm">
            <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
            <span>
              {provider} will receive such results unchanged: {dataClassMeaning[wanted]}. They
              cannot be recalled.
            </span>
          </p>
        </ReasonDialog>
      )}
    </div>
  )
}
