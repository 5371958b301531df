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
      failed="Not deleted"
      done={`Deleted ${name}`}
      send={(reason) => deleteHere({ id: configurationId, reason })}
      onDone={() => router.push('/configurations')}
      onClose={onClose}
    >
      Its history is deleted; past runs stay.
      {rules.length > 0 &&
        ` Deleted with it: ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}.`}
      {uses.runs > 0 && ` It had ${countOf(uses.runs, 'run')} in 30 days.`}
    </ActWithReason>
  )
}
