'use client'
import Link from 'next/link'
import { useId } from 'react'
import { useAct } from '@/components/forms/use-act'
import { Section } from '@/components/ui/section'
import { Switch } from '@/components/ui/switch'
import { changePolicy } from '../actions'

/** Whether somebody else than who started a run has to decide its approvals. */
export function FourEyesSwitch({
  configurationId,
  fourEyes,
}: {
  configurationId: string
  fourEyes: boolean
}) {
  const id = useId()
  const { busy, act } = useAct()
  const flip = () =>
    act(() => changePolicy({ configurationId, policy: { fourEyes: !fourEyes } }), {
      failed: 'It was not changed',
      done: fourEyes ? 'Who starts a run may approve its calls' : 'Somebody else has to approve',
    })
  return (
    <Section title="Approvals">
      <div className="flex items-start gap-3">
        <Switch
          checked={fourEyes}
          disabled={busy}
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
    </Section>
  )
}
