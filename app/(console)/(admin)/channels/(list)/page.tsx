import { channelVerbs } from '@toolgate/server/domains/channels/verbs'
import { Megaphone } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import {
  CardHead,
  fieldColumn,
  nameColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import {
  type Channel,
  channels,
  type MessageOutcome as Outcome,
} from '@/lib/domains/channels/shape'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeChannel } from '../actions'
import { NewChannelButton } from '../channel-form'
import { MessageOutcome } from '../message-outcome'

export const metadata: Metadata = { title: 'Channels' }

const columns: Column<Channel, SortKeyOf<typeof channels>>[] = [
  switchColumn(channels.fields, changeChannel),
  nameColumn('Channel', channels),
  fieldColumn(channels.fields, 'kind', 'text'),
  {
    key: 'leadsTo',
    head: 'Leads to',
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ leadsTo }) => <VisibleText text={leadsTo} />,
  },
  {
    key: 'alerts',
    head: channels.fields.budgetAlerts.label,
    className: 'max-w-80',
    cell: (channel) => <Alerts channel={channel} />,
  },
  {
    key: 'notices',
    head: channels.fields.approvalAlerts.label,
    className: 'max-w-80',
    cell: (channel) => <Notices channel={channel} />,
  },
  {
    key: 'messages',
    head: 'Messages of runs',
    className: 'max-w-80',
    cell: (channel) => <OfRuns channel={channel} />,
  },
]

/** Shows whether alerts go to a channel, and what came of the last one. */
function Alerts({ channel: { budgetAlerts, lastAlert } }: { channel: Channel }) {
  return <Messages areSent={budgetAlerts} last={lastAlert} />
}

/** Shows whether messages about waiting calls go to a channel, and what came of the last one. */
function Notices({ channel: { approvalAlerts, lastNotice } }: { channel: Channel }) {
  return <Messages areSent={approvalAlerts} last={lastNotice} />
}

/** Shows whether runs may send messages to a channel, and what came of the last one. */
function OfRuns({ channel: { runMessages, lastRunMessage } }: { channel: Channel }) {
  return <Messages areSent={runMessages} last={lastRunMessage} />
}

function Messages({ areSent, last }: { areSent: boolean; last: Outcome | null }) {
  if (last) return <MessageOutcome outcome={last} />
  return <span className="text-muted">{areSent ? 'none yet' : 'not sent there'}</span>
}

/** Shows one channel on a narrow screen. */
function Entry({ channel }: { channel: Channel }) {
  return (
    <>
      <CardHead resource={channels} row={channel} send={changeChannel} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        {factText(channels.fields.kind, channel.kind)}: <VisibleText text={channel.leadsTo} />
      </span>
      {channel.budgetAlerts && <Alerts channel={channel} />}
      {channel.approvalAlerts && <Notices channel={channel} />}
      {channel.runMessages && <OfRuns channel={channel} />}
    </>
  )
}

export default resourceListPage(channels, channelVerbs, {
  about:
    'Where messages to people go: alerts of budgets, calls waiting for approval, and messages of runs.',
  add: (choices) => <NewChannelButton choices={choices} />,
  columns,
  card: (channel) => <Entry channel={channel} />,
  searched: 'name, address, sender and recipients',
  nothing: {
    icon: Megaphone,
    words:
      'A channel sends alerts of budgets, calls that wait for approval and messages of runs to a webhook, a chat or by mail.',
  },
})
