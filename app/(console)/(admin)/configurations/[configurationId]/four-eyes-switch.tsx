'use client'
import Link from 'next/link'
import { type ReactNode, useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Section } from '@/components/ui/section'
import { Switch } from '@/components/ui/switch'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { changePolicy } from '../actions'

/**
 * Shows the switch for four eyes: another person than the one who started a run must approve its calls. Switching it
 * off asks for a reason first. `children`: what else is about approvals.
 */
export function FourEyesSwitch({
  configurationId,
  fourEyes,
  children,
}: {
  configurationId: string
  fourEyes: boolean
  children: ReactNode
}) {
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const turn = (on: boolean, reason: string) =>
    changePolicy({ id: configurationId, fourEyes: on, reason })
  const flip = () => {
    if (fourEyes) return setAsking(true)
    void act(() => turn(true, ''), {
      failed: 'Four eyes was not switched on',
      done: 'Switched on four eyes',
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
          <span className="font-medium text-strong">Four eyes: {fourEyes ? 'on' : 'off'}.</span> If
          on, the person who started a run cannot approve its calls. Somebody else must.
        </p>
      </div>
      {children}
      <p className="text-muted text-sm">
        Which calls need approval is set under{' '}
        <Link href="/approvals/rules" className="text-link underline underline-offset-2">
          Rules
        </Link>
        .
      </p>
      {asking && (
        <ActWithReason
          title="Switch off four eyes"
          required={policyReasons.withoutFourEyes}
          failed="Four eyes was not switched off"
          done="Switched off four eyes"
          send={(reason) => turn(false, reason)}
          onClose={() => setAsking(false)}
        >
          The person who starts a run may then approve its calls alone. Runs that started with four
          eyes keep it until they end.
        </ActWithReason>
      )}
    </Section>
  )
}
