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
  type NoticeOutcome,
  type RunMessageOutcome,
} from '@/lib/domains/channels/shape'
import { ChannelActions } from '../channel-form'
import { MessageOutcome } from '../message-outcome'

const { page, generateMetadata } = resourcePage(
  channels,
  channelVerbs,
  async ({ object: channel, choices }) => {
    const { alerts, budgetAlerts, notices, approvalAlerts, messages, runMessages, leadsTo } =
      channel
    return {
      actions: <ChannelActions object={channel} choices={choices} />,
      facts: {
        ...(leadsTo !== '' && { address: <VisibleText text={leadsTo} /> }),
        groupIds: null,
        'Whose runs may send messages here': whoMaySend(channel),
      },
      children: (
        <>
          <Messages title="Last budget alerts" areSent={budgetAlerts}>
            {alerts.map((alert) => (
              <li key={`${alert.at} ${alert.percent}`}>
                <VisibleText text={alert.title} /> passed {alert.percent} %
                <MessageOutcome outcome={alert} />
              </li>
            ))}
          </Messages>
          <Messages title="Last messages about waiting calls" areSent={approvalAlerts}>
            {notices.map((notice) => (
              <li key={`${notice.approvalId} ${notice.kind}`}>
                <NoticeTitle notice={notice} />
                <MessageOutcome outcome={notice} />
              </li>
            ))}
          </Messages>
          <Messages title="Last messages of runs" areSent={runMessages}>
            {(await withPersonNames(messages, ['sentByLabel'])).map((message) => (
              <li key={`${message.runId} ${message.at}`}>
                <SentBy message={message} />
                <MessageOutcome outcome={message} />
              </li>
            ))}
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
  return `those of admins, and of members of ${groups.map(({ name }) => name).join(', ')}`
}

function SentBy({ message: { runId, sentByLabel } }: { message: RunMessageOutcome }) {
  return (
    <>
      <Link href={`/runs/${runId}`} className="text-link underline underline-offset-2">
        A run
      </Link>{' '}
      of <VisibleText text={sentByLabel} />
    </>
  )
}

/** Lists the last messages of one kind, or says why there are none. */
function Messages({
  title,
  areSent,
  children,
}: {
  title: string
  areSent: boolean
  children: ReactNode[]
}) {
  return (
    <Section title={title}>
      {children.length === 0 && (
        <p className="text-muted">{areSent ? 'None was sent yet.' : 'They are not sent there.'}</p>
      )}
      <ul className="flex flex-col gap-2">{children}</ul>
    </Section>
  )
}

function NoticeTitle({ notice: { runId, toolName, kind } }: { notice: NoticeOutcome }) {
  return (
    <>
      A call of{' '}
      <Link
        href={`/runs/${runId}`}
        className="font-mono text-link text-mono underline-offset-2 hover:underline"
      >
        <VisibleText text={toolName} />
      </Link>{' '}
      {kind === 'waiting' ? 'waits for approval' : 'expires soon'}
    </>
  )
}
