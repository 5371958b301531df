'use client'
import { Check, X } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActButton } from '@/components/forms/act-button'
import { NewResourceForm, type ReferenceChoices } from '@/components/resource/resource-form'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { type HostRequest, hosts } from '@/lib/domains/hosts/shape'
import { pathOf } from '@/lib/protocol/nouns'
import { declineRequest } from './actions'
import { hostForm } from './host-form'

/**
 * Shows the hosts that people asked for, with buttons that list one or decline it. `requested`: the origin with which the form
 * opens; null = it stays closed.
 */
export function HostRequests({
  requests,
  requested,
  choices,
}: {
  requests: readonly HostRequest[]
  requested: string | null
  choices: ReferenceChoices
}) {
  const [allowing, setAllowing] = useState(requested)
  const router = useRouter()
  const close = () => {
    setAllowing(null)
    if (requested !== null) router.replace(pathOf(hosts))
  }
  return (
    <>
      {requests.length > 0 && (
        <Section id="asked" title={`Asked for (${requests.length})`}>
          <ul className="flex flex-col gap-4 sm:gap-2">
            {requests.map(({ id, origin, people, askedAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                  <CodeText text={origin} />
                  <span className="text-muted text-sm [overflow-wrap:anywhere]">
                    <VisibleText text={peopleText(people)} /> · <RelativeTime at={askedAt} />
                  </span>
                </span>
                <span className="flex gap-2">
                  <Button onClick={() => setAllowing(origin)}>
                    <Check className="size-4" aria-hidden />
                    Allow
                  </Button>
                  <ActButton
                    icon={<X className="size-4" aria-hidden />}
                    failed="The request was not declined"
                    done="Declined the request"
                    send={() => declineRequest({ id })}
                  >
                    Decline
                  </ActButton>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {allowing !== null && (
        <NewResourceForm
          resource={hosts}
          spec={{ ...hostForm.spec, start: () => ({ name: allowing }) }}
          choices={choices}
          onClose={close}
        />
      )}
    </>
  )
}

function peopleText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
