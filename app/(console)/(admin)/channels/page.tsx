import { channelVerbs } from '@toolgate/server/domains/channels/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import {
  type Channel,
  channels,
  type MessageOutcome as Outcome,
} from '@/lib/domains/channels/shape'
import { NewChannelButton } from './channel-form'
import { MessageOutcome } from './message-outcome'

export const metadata = { title: 'Channels' }

/** The messages that go to a channel: the field that says so, the head of their column, and the last one. */
const kinds = [
  { key: 'budgetAlerts', head: 'Budget alerts', last: 'lastAlert' },
  { key: 'approvalAlerts', head: 'Calls waiting for approval', last: 'lastNotice' },
  { key: 'runMessages', head: 'Messages of runs', last: 'lastRunMessage' },
] as const

/** Shows what came of the last message of a kind. */
function Last({ areSent, last }: { areSent: boolean; last: Outcome | null }) {
  if (last) return <MessageOutcome outcome={last} />
  return <span className="text-muted">{areSent ? 'none yet' : 'off'}</span>
}

function lastOf(channel: Channel, { key, last }: (typeof kinds)[number]) {
  return <Last key={key} areSent={channel[key]} last={channel[last]} />
}

export default resourceListPage(channels, channelVerbs, {
  about: 'Where alerts, waiting approvals and messages of runs are sent.',
  add: NewChannelButton,
  columns: kinds.map((kind) => ({
    key: kind.key,
    head: kind.head,
    className: 'max-w-80',
    cell: (channel) => lastOf(channel, kind),
  })),
  card: (channel) => kinds.filter(({ key }) => channel[key]).map((kind) => lastOf(channel, kind)),
})
