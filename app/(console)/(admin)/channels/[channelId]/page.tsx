import type { Metadata } from 'next'
import { ResourceSwitch } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { PageHead } from '@/components/ui/page-head'
import { Section } from '@/components/ui/section'
import { pageObject } from '@/lib/auth/or-not-found'
import { requireAdmin } from '@/lib/auth/require-user'
import { type ChannelDetail, channels } from '@/lib/domains/channels/shape'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { readReferenceChoices } from '@/lib/doors/reference-choices'
import { factText } from '@/lib/protocol/field-codec'
import { changeChannel } from '../actions'
import { AlertOutcome } from '../alert-outcome'
import { ChannelActions } from '../channel-form'

export const metadata: Metadata = { title: 'Channel' }

const channelAt = pageObject((ctx, id) => channelVerbs.read(ctx, { id }))

type Props = { params: Promise<{ channelId: string }> }

export default async function ChannelPage({ params }: Props) {
  const ctx = await requireAdmin()
  const channel = await channelAt((await params).channelId)
  const choices = await readReferenceChoices(ctx, channels)
  const { name, groups, alerts, budgetAlerts } = channel
  return (
    <div className="flex flex-col gap-8 p-4 md:p-6">
      <PageHead
        title={<VisibleText text={name} />}
        action={<ChannelActions channel={channel} choices={choices} />}
      >
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ResourceSwitch fields={channels.fields} send={changeChannel} row={channel} />
          <span>{factText(channels.fields.kind, channel.kind)}</span>
          {factsOf(channel).map(([label, text]) => (
            <span key={label}>
              {label}: <VisibleText text={text} />
            </span>
          ))}
        </span>
      </PageHead>
      <Section title={channels.fields.groupIds.label}>
        <p>
          <VisibleText text={groups.map((group) => group.name).join(', ') || 'Admins only'} />
        </p>
      </Section>
      <Section title="Last budget alerts">
        {alerts.length === 0 && (
          <p className="text-muted">
            {budgetAlerts ? 'None was sent yet.' : 'They are not sent there.'}
          </p>
        )}
        <ul className="flex flex-col gap-2">
          {alerts.map((alert) => (
            <li key={`${alert.at} ${alert.percent}`}>
              <VisibleText text={alert.title} /> passed {alert.percent} %
              <AlertOutcome outcome={alert} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** Returns what is shown of the fields that only a channel's kind has. */
function factsOf(channel: ChannelDetail): [label: string, text: string][] {
  if (channel.kind !== 'smtp') return [[channels.fields.address.label, channel.leadsTo]]
  const shown = ['host', 'port', 'security', 'user', 'sender', 'recipients'] as const
  return shown.flatMap((name): [string, string][] => {
    const field = channels.fields[name]
    const text = factText(field, channel[name])
    return text === '' ? [] : [[field.label, text]]
  })
}
