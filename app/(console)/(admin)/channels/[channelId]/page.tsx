import { channelVerbs } from '@toolgate/server/domains/channels/verbs'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { Section } from '@/components/ui/section'
import {
  type Channel,
  channels,
  type MessageOutcome as Outcome,
} from '@/lib/domains/channels/shape'
import { ChannelActions } from '../channel-form'
import { MessageOutcome } from '../message-outcome'

const { page, generateMetadata } = resourcePage(
  channels,
  channelVerbs,
  async ({ object: channel, choices }) => {
    const { alerts, budgetAlerts, notices, approvalAlerts, messages, runMessages } = channel
    return {
      actions: <ChannelActions object={channel} choices={choices} />,
      facts: {
        groupIds: null,
        'Whose runs may send messages here': whoMaySend(channel),
      },
      children: (
        <>
          <Messages title="Budget alerts" areSent={budgetAlerts} rows={alerts}>
            {({ title, percent }) => (
              <>
                <VisibleText text={title} /> passed {percent} %
              </>
            )}
          </Messages>
          <Messages title="Waiting calls" areSent={approvalAlerts} rows={notices}>
            {({ runId, toolName, kind }) => (
              <>
                A call of{' '}
                <Link
                  href={`/runs/${runId}`}
                  className="font-mono text-link text-mono hover:underline"
                >
                  <VisibleText text={toolName} />
                </Link>{' '}
                {kind === 'waiting' ? 'waits for approval' : 'expires soon'}
              </>
            )}
          </Messages>
          <Messages
            title="Messages of runs"
            areSent={runMessages}
            rows={await withPersonNames(messages, ['sentByLabel'])}
          >
            {({ runId, sentByLabel }) => (
              <>
                <Link href={`/runs/${runId}`} className="text-link underline underline-offset-2">
                  A run
                </Link>{' '}
                of <VisibleText text={sentByLabel} />
              </>
            )}
          </Messages>
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page

function whoMaySend({ runMessages, groups }: Channel): string {
  if (!runMessages) return 'nobody’s'
  if (groups.length === 0) return 'those of admins'
  return `those of admins and ${groups.map(({ name }) => name).join(', ')}`
}

/** Lists the last messages of one kind with what came of each. Shows nothing of a kind that is not sent, as the facts say. */
function Messages<T extends Outcome>({
  title,
  areSent,
  rows,
  children,
}: {
  title: string
  areSent: boolean
  rows: readonly T[]
  children: (row: T) => ReactNode
}) {
  if (!areSent && rows.length === 0) return null
  return (
    <Section title={title}>
      {rows.length === 0 && <p className="text-muted">None yet</p>}
      <ul className="flex flex-col gap-2">
        {rows.map((row) => (
          <li key={JSON.stringify(row)}>
            {children(row)}
            <MessageOutcome outcome={row} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
