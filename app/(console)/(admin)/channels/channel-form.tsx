'use client'
import { Send } from 'lucide-react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ActButton } from '@/components/forms/act-button'
import { channels } from '@/lib/domains/channels/shape'
import { sendTestMessage } from './actions'

const form = resourceForm(
  channels,
  {
    removal: 'Its secrets are deleted. Alerts stay under Usage > Budgets.',
  },
  ({ object: { id } }) => (
    <ActButton
      icon={<Send className="size-4" aria-hidden />}
      failed="The test message was not delivered"
      done="The test message was accepted"
      send={async () => {
        const result = await sendTestMessage({ id })
        if (!result.ok || result.value.trouble === null) return result
        return { ok: false, error: { code: 'channel', message: result.value.trouble } }
      }}
    >
      Send test
    </ActButton>
  ),
)
export const NewChannelButton = form.NewButton
export const ChannelActions = form.Actions
