'use client'
import type { ConfigurationUses } from '@toolgate/server/domains/configurations/schemas'
import { useRouter } from 'next/navigation'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { deleteHere } from '../actions'

type Props = {
  configurationId: string
  name: string
  uses: ConfigurationUses
  onClose: () => void
}

/**
 * Says what is deleted and what stays, and asks for a reason. When the server refuses, names the users of the
 * configuration.
 */
export function DeleteDialog({ configurationId, name, uses, onClose }: Props) {
  const router = useRouter()
  const rules = uses.rules.map((rule) => visibleText(rule.name))
  return (
    <ActWithReason
      title={`Delete ${name}`}
      failed={`${name} was not deleted`}
      done={`Deleted ${name}`}
      send={(reason) => deleteHere({ id: configurationId, reason })}
      onDone={() => router.push('/configurations')}
      onClose={onClose}
    >
      Nobody can start a run with it afterwards, and its history is deleted. Past runs stay and keep
      the settings they started with.
      {rules.length > 0 &&
        ` The approval ${rules.length === 1 ? 'rule' : 'rules'} for this configuration only ${rules.length === 1 ? 'is' : 'are'} deleted too: ${rules.join(', ')}.`}
      {uses.runs > 0 && ` It was used for ${countOf(uses.runs, 'run')} in the last 30 days.`}
    </ActWithReason>
  )
}
