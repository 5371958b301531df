'use client'
import { CircleX } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { digestOf, type Outage, outageIn, outageWords } from '@/lib/protocol/outage'
import { MessagePage } from './message-page'

/** Shows that a page could not be rendered. The digest finds the cause in the server log; the cause is not shown. */
export function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = digestOf(error)
  const outage = outageIn(error)
  if (outage) return <NotNow outage={outage} retry={retry} />
  return (
    <MessagePage
      icon={CircleX}
      title="This page could not be shown"
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>Try again, or give an admin the incident id.</p>
      {digest && <p className="font-mono text-mono">Incident {digest}</p>}
    </MessagePage>
  )
}

/** Says what keeps the database from showing this page. */
function NotNow({ outage, retry }: { outage: Outage; retry: () => void }) {
  const { title, text } = outageWords[outage]
  return (
    <MessagePage
      icon={CircleX}
      title={title}
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>{text}</p>
    </MessagePage>
  )
}
