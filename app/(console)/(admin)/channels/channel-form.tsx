'use client'
import { Send } from 'lucide-react'
import { ActButton } from '@/components/forms/act-button'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Channel, channels } from '@/lib/domains/channels/shape'
import { addChannel, changeChannel, removeChannel, sendTestMessage } from './actions'

const spec: FormSpec<typeof channels> = {
  add: addChannel,
  change: changeChannel,
  remove: removeChannel,
  description: 'Messages to people are sent there. What is secret is encrypted and never shown.',
  removal:
    'Nothing is sent there any more, and its secrets are deleted. Alerts stay under Budgets. To pause it, switch it off instead.',
}

export function NewChannelButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={channels} spec={spec} choices={choices} />
}

/** Sends a test message through a channel, edits it and deletes it. */
export function ChannelActions({
  channel,
  choices,
}: {
  channel: Channel
  choices: ReferenceChoices
}) {
  return (
    <>
      <ActButton
        icon={<Send className="size-4" aria-hidden />}
        failed="The test message was not delivered"
        done="The test message was accepted"
        send={async () => {
          const result = await sendTestMessage({ id: channel.id })
          if (!result.ok || result.value.trouble === null) return result
          return { ok: false, error: { code: 'channel', message: result.value.trouble } }
        }}
      >
        Send a test message
      </ActButton>
      <ResourceActions resource={channels} stored={channel} spec={spec} choices={choices} />
    </>
  )
}
