'use client'
import { Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { removeModel } from '../actions'

type Props = {
  modelId: string
  name: string
  /** The number of configurations that use the model. */
  users: number
}

/** Shows the button that edits a model, and the menu that deletes it. */
export function ModelActions({ modelId, name, users }: Props) {
  const [asking, setAsking] = useState(false)
  const router = useRouter()
  const whyNotId = useId()
  const shown = visibleText(name)
  const isUsed = users > 0
  const whyNot = isUsed && (
    <p id={whyNotId} className="max-w-64 px-2 py-1 text-muted text-sm">
      In use by {countOf(users, 'configuration')}.
    </p>
  )
  return (
    <>
      <Button asChild>
        <Link href={`/models/${modelId}/edit`}>
          <Pencil className="size-4" aria-hidden />
          Edit
        </Link>
      </Button>
      <MoreMenu
        entries={[
          {
            label: 'Delete…',
            icon: Trash2,
            onSelect: () => setAsking(true),
            ...(isUsed && { disabled: true, describedBy: whyNotId }),
          },
        ]}
        foot={whyNot}
      />
      {asking && (
        <ActWithReason
          title={`Delete ${shown}`}
          failed="Not deleted"
          done={`Deleted ${shown}`}
          send={(reason) => removeModel({ id: modelId, reason })}
          onDone={() => router.push('/models')}
          onClose={() => setAsking(false)}
        >
          Its prices go too; past runs and usage stay.
        </ActWithReason>
      )}
    </>
  )
}
