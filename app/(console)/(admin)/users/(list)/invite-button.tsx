'use client'
import type { OneTimeLink } from '@toolgate/server/domains/users/schemas'
import { UserPlus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { OneTimeLinkDialog } from '@/components/people/shown-once-dialog'
import { Button } from '@/components/ui/button'
import type { GroupChoice } from './group-ticks'
import { InviteForm } from './invite-form'

type Step = 'closed' | 'asking' | { link: OneTimeLink; name: string }

/** Asks for name and address, then shows the invitation link once. */
export function InviteButton({ groups }: { groups: GroupChoice[] }) {
  const [step, setStep] = useState<Step>('closed')
  const router = useRouter()
  const close = () => {
    setStep('closed')
    router.refresh()
  }
  return (
    <>
      <Button variant="primary" onClick={() => setStep('asking')}>
        <UserPlus className="size-4" aria-hidden />
        Invite
      </Button>
      {step === 'asking' && (
        <InviteForm
          groups={groups}
          onInvited={(link, name) => setStep({ link, name })}
          onClose={() => setStep('closed')}
        />
      )}
      {typeof step === 'object' && (
        <OneTimeLinkDialog
          title={`Invited ${step.name}`}
          link={step.link}
          name={step.name}
          onClose={close}
        />
      )}
    </>
  )
}
