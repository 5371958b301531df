'use client'
import { CircleX } from 'lucide-react'
import { digestOf, type Outage, outageIn } from '@/lib/protocol/outage'
import { Button } from '../ui/button'
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
      <p>
        An internal error stopped this page. Nothing else is affected. Try again. If it happens
        again, give the incident id to the person who runs this installation: the server log has the
        details under it.
      </p>
      {digest && <p className="font-mono text-mono">Incident {digest}</p>}
    </MessagePage>
  )
}

const words: Record<Outage, { title: string; text: string }> = {
  away: {
    title: 'The database does not answer',
    text: 'Toolgate cannot reach its database, so this page has nothing to show. Active runs wait, and go on by themselves. Try again in a moment.',
  },
  crowded: {
    title: 'The database is busy',
    text: 'Toolgate has more to ask its database than it may at once. Try again in a moment.',
  },
  full: {
    title: 'The disk of the database is full',
    text: 'Nothing can be stored. Free some space, or give the database a larger disk. Active runs wait, and go on by themselves.',
  },
  stopped: {
    title: 'This page took too long',
    text: 'The database needed more time for it than a page may take, so it was stopped. Go back and narrow it with a filter or a shorter period, or try again when less is going on.',
  },
}

/** Says what keeps the database from showing this page. */
function NotNow({ outage, retry }: { outage: Outage; retry: () => void }) {
  const { title, text } = words[outage]
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
