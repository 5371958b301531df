import type { Metadata } from 'next'
import { ResourcePage } from '@/components/resource/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/auth/require-user'
import { channels } from '@/lib/domains/channels/shape'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { readResourcePage } from '@/lib/doors/read-resource-page'
import { changeChannel } from '../actions'
import { AlertOutcome } from '../alert-outcome'
import { ChannelActions } from '../channel-form'

export const metadata: Metadata = { title: 'Channel' }

type Props = { params: Promise<{ channelId: string }> }

export default async function ChannelPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { channelId } = await params
  const read = await readResourcePage(ctx, channels, channelVerbs, channelId)
  const { object: channel, choices, history } = read
  const { alerts, budgetAlerts, leadsTo } = channel
  return (
    <ResourcePage
      resource={channels}
      object={channel}
      history={history}
      change={changeChannel}
      actions={<ChannelActions channel={channel} choices={choices} />}
      facts={leadsTo === '' ? {} : { address: <VisibleText text={leadsTo} /> }}
    >
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
    </ResourcePage>
  )
}
