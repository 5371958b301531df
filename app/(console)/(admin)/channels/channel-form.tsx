'use client'
import { Send } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { Button } from '@/components/ui/button'
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
  return <NewResourceButton resource={channels} {...{ spec, choices }} />
}

/** Sends a test message through a channel, edits it and deletes it. */
export function ChannelActions({
  channel,
  choices,
}: {
  channel: Channel
  choices: ReferenceChoices
}) {
  const { busy, act } = useAct()
  const test = () =>
    void act(
      async () => {
        const result = await sendTestMessage({ id: channel.id })
        if (!result.ok || result.value.trouble === null) return result
        return { ok: false, error: { code: 'channel', message: result.value.trouble } }
      },
      { failed: 'The test message was not delivered', done: 'The test message was accepted' },
    )
  return (
    <>
      <Button loading={busy} onClick={test}>
        {!busy && <Send className="size-4" aria-hidden />}
        Send a test message
      </Button>
      <ResourceActions resource={channels} stored={channel} {...{ spec, choices }} />
    </>
  )
}
