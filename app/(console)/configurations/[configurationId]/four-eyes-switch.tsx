'use client'
import Link from 'next/link'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { useAct } from '@/components/forms/use-act'
import { Section } from '@/components/ui/section'
import { Switch } from '@/components/ui/switch'
import { changePolicy } from '../actions'

/** Whether somebody else than who started a run has to decide its approvals. Off asks for the reason first. */
export function FourEyesSwitch({
  configurationId,
  fourEyes,
}: {
  configurationId: string
  fourEyes: boolean
}) {
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const turn = (on: boolean, reason: string) =>
    changePolicy({ configurationId, policy: { fourEyes: on, reason } })
  const flip = () => {
    if (fourEyes) return setAsking(true)
    void act(() => turn(true, ''), {
      failed: 'It was not changed',
      done: 'Somebody else has to approve',
      undo: () => turn(false, ''),
      about: `${configurationId} four eyes`,
    })
  }
  return (
    <Section title="Approvals">
      <div className="flex items-start gap-3">
        <Switch
          checked={fourEyes}
          busy={busy}
          onCheckedChange={flip}
          aria-labelledby={id}
          className="mt-0.5"
        />
        <p id={id} className="max-w-[72ch]">
          <span className="font-medium text-strong">Four eyes: {fourEyes ? 'on' : 'off'}.</span>{' '}
          When on, whoever started a run cannot decide the approvals it waits for.
        </p>
      </div>
      <p className="text-muted text-sm">
        Which calls need approval is said under{' '}
        <Link href="/approvals/rules" className="text-link underline underline-offset-2">
          Approval rules
        </Link>
        .
      </p>
      {asking && (
        <ActWithReason
          title="Switch off four eyes"
          required="Say why one person may start a run and approve its calls."
          failed="It was not switched off"
          done="Who starts a run may approve its calls"
          send={(reason) => turn(false, reason)}
          onClose={() => setAsking(false)}
        >
          Whoever starts a run may then approve its calls alone. Runs that began with four eyes keep
          them to their end.
        </ActWithReason>
      )}
    </Section>
  )
}
