'use client'
import { Send } from 'lucide-react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ActButton } from '@/components/forms/act-button'
import { channels } from '@/lib/domains/channels/shape'
import { sendTestMessage } from './actions'

const form = resourceForm(
  channels,
  {
    description: 'Messages to people are sent there. What is secret is encrypted and never shown.',
    removal:
      'Nothing is sent there any more, and its secrets are deleted. Alerts stay under Usage > Budgets. To pause it, switch it off instead.',
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
      Send a test message
    </ActButton>
  ),
)
export const NewChannelButton = form.NewButton
export const ChannelActions = form.Actions
