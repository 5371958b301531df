'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { Section } from '@/components/ui/section'
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
  return (
    <Section
      title="Approvals"
      action={
        <Link href="/approvals/rules" className="text-link underline underline-offset-2">
          Rules
        </Link>
      }
    >
      <div className="flex items-start gap-3">
        <ReasonedSwitch
          id={configurationId}
          name="four eyes"
          enabled={fourEyes}
          required={policyReasons.withoutFourEyes}
          send={({ enabled, ...given }) => changePolicy({ ...given, fourEyes: enabled })}
        >
          People may then approve calls of their own new runs.
        </ReasonedSwitch>
        <p className="max-w-[72ch]">
          <span className="font-medium text-strong">Four eyes.</span> Nobody approves calls of their
          own runs.
        </p>
      </div>
      {children}
    </Section>
  )
}
