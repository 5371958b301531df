import 'server-only'
import {
  isRunFull,
  recordRunMessage,
  reserveRunMessage,
  type UsableChannel,
  usableChannels,
} from '@/lib/domains/channels/run-messages'
import { shownMessage } from '@/lib/domains/channels/send/send-message'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import { channels } from '@/lib/domains/channels/shape'
import { type ChannelMessage, notDelivered } from '@/lib/domains/channels/shared/delivery'
import { leadsTo } from '@/lib/domains/channels/stored'
import type { ResourceCaller } from '@/lib/engines/tools/bind-tool'
import type {
  ChannelResources,
  MessageChannel,
  WrittenMessage,
} from '@/lib/engines/tools/tool-resources'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { factText } from '@/lib/shape/field-codec'
import { cleanText, visibleText } from '@/lib/words/clean-text'

/** Returns the channels of this installation as a run may send messages to them at this moment (SPEC A2a). */
export function channelResources(tx: Tx, caller: ResourceCaller): ChannelResources {
  const list = () => usableChannels(tx, caller.actor)
  return {
    names: async () => (await list()).map(({ name }) => name),
    find: async (name) => {
      const found = (await list()).find((each) => each.name === name)
      return found ? openChannel({ tx, caller, found }, await senderOf(tx, caller)) : null
    },
  }
}

type Opened = { tx: Tx; caller: ResourceCaller; found: UsableChannel }

/** The run that a message comes from, as people know it. */
type Sender = { person: string; configuration: string | null }

async function senderOf(
  tx: Tx,
  { actor: { userId, email }, configurationId }: ResourceCaller,
): Promise<Sender> {
  const select = { name: true }
  const user = await tx.user.findUnique({ where: { id: userId }, select })
  const configuration =
    configurationId === null
      ? null
      : await tx.configuration.findUnique({ where: { id: configurationId }, select })
  const person = user?.name ? `${user.name} (${email})` : email
  return { person, configuration: configuration?.name ?? null }
}

function openChannel(opened: Opened, sender: Sender): MessageChannel {
  const { tx, caller, found } = opened
  const { runId, actor } = caller
  const { id: channelId, updatedAt } = found
  return {
    shown: (written) => {
      const message = messageOf(opened, sender, written)
      const look = { kind: found.kind, sender: found.sender, to: found.recipients.length }
      return `${headOf(found)}\n\n${shownMessage(look, message)}`
    },
    isRunFull: () => isRunFull(tx, runId),
    reserve: (callId) =>
      reserveRunMessage(tx, { runId, callId, channelId, sentByLabel: actor.email }),
    send: async (written, signal) => {
      // Rights and the channel are read again before each attempt: the one before may have been long ago.
      const now = (await usableChannels(tx, actor)).find(({ id }) => id === channelId)
      if (now?.updatedAt.getTime() !== updatedAt.getTime()) return notDelivered('final', changed)
      return sendToChannel(tx, channelId, messageOf(opened, sender, written), signal)
    },
    record: (callId, outcome) =>
      recordRunMessage(tx, { runId, callId }, outcome).catch((err) =>
        log.warn({ source: 'channels', err }, 'What came of a message could not be noted'),
      ),
  }
}

const changed =
  'The channel was changed while the message was being sent. Look at it, then ask again.'

/** Returns what the channel is and when it was changed last: whoever approves a message approves it for this channel. */
function headOf(channel: UsableChannel): string {
  const kind = factText(channels.fields.kind, channel.kind)
  const changedAt = channel.updatedAt.toISOString()
  return `To ${channel.name} (${kind}: ${leadsTo(channel)}), changed last ${changedAt}`
}

/** Returns the message of a run. Its first line and its last one say whose run it is, and are never the model's. */
function messageOf(
  { caller, found }: Opened,
  sender: Sender,
  { text: written, callId }: WrittenMessage,
): ChannelMessage {
  const { runId } = caller
  const { person, configuration } = sender
  const text = visibleText(cleanText(written))
  const url = runAddress(runId)
  const withWhat = configuration === null ? '' : ` with ${oneLine(configuration)}`
  const from = `Sent by a run of ${oneLine(person)}${withWhat}: ${url ?? `run ${runId}`}`
  return {
    title: `Message from a run of ${oneLine(person)}`,
    text: `${text}\n\n${from}`,
    data: {
      type: 'run-message',
      channel: found.name,
      text,
      runId,
      callId,
      startedBy: caller.actor.email,
      configuration,
      url,
    },
  }
}

function oneLine(name: string): string {
  return visibleText(cleanText(name)).replace(/\s+/g, ' ').trim()
}

/** Returns where people read a run; null = the address of this site leads to the machine of whoever reads it. */
function runAddress(runId: string): string | null {
  const site = new URL(env().TOOLGATE_URL)
  const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(site.hostname)
  return isHere ? null : new URL(`/runs/${runId}`, site).href
}
