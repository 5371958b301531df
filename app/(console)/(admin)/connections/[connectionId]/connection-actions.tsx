'use client'
import { ScrollText, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { MoreMenu } from '@/components/ui/more-menu'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { removeConnection } from '../actions'
import { TestButton } from '../connection-test'

type Props = {
  id: string
  name: string
  /** Number of its models. A connection with models cannot be deleted. */
  models: number
}

/** Shows the button that tests a connection, and the menu that deletes it. */
export function ConnectionActions({ id, name, models }: Props) {
  const router = useRouter()
  const whyNotId = useId()
  const [asking, setAsking] = useState(false)
  const shown = visibleText(name)
  const inUse = models > 0
  return (
    <>
      <TestButton id={id} name={name} />
      <MoreMenu
        entries={[
          {
            label: 'Changes',
            icon: ScrollText,
            onSelect: () => router.push(`/audit?objectType=connection&objectId=${id}`),
          },
          null,
          {
            label: 'Delete…',
            icon: Trash2,
            onSelect: () => setAsking(true),
            ...(inUse && { disabled: true, describedBy: whyNotId }),
          },
        ]}
        foot={
          inUse && (
            <p id={whyNotId} className="max-w-64 px-2 py-1 text-muted text-sm">
              Delete its {countOf(models, 'model')} first.
            </p>
          )
        }
      />
      {asking && (
        <ActWithReason
          title={`Delete ${shown}`}
          failed="Not deleted"
          done={`Deleted ${shown}`}
          send={(reason) => removeConnection({ id, reason })}
          onDone={() => router.push('/connections')}
          onClose={() => setAsking(false)}
        >
          Its keys and headers go too; past runs stay.
        </ActWithReason>
      )}
    </>
  )
}
