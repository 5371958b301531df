'use client'
import { Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import type { MenuEntry } from '@/components/ui/menu-list'
import type { ActionResult } from '@/lib/next/action'
import { pathOf, wordsOf } from '@/lib/protocol/nouns'
import type { Definition, Resource } from '@/lib/shape/resource'
import { visibleText } from '@/lib/words/clean-text'

/** Most visits delete nothing. */
const ActWithReason = lazyPart(
  async () => (await import('@/components/forms/reason-dialog')).ActWithReason,
)

/** Returns the entry of the menu that deletes an object, and its dialog. `children`: what that does to others. */
export function useDeletion<D extends Definition>({
  resource,
  id,
  name: called,
  remove,
  children,
}: {
  resource: Resource<D>
  id: string
  /** Name of the object. */
  name: string
  remove: (input: { id: string; reason?: string | undefined }) => Promise<ActionResult<unknown>>
  children: ReactNode
}): { entry: MenuEntry; dialog: ReactNode } {
  const [isAsking, setAsking] = useState(false)
  const router = useRouter()
  const name = visibleText(called)
  return {
    entry: { label: 'Delete…', icon: Trash2, onSelect: () => setAsking(true) },
    dialog: isAsking && (
      <ActWithReason
        title={`Delete ${name}`}
        failed={`The ${wordsOf(resource).one} was not deleted`}
        done={`Deleted ${name}`}
        send={(reason) => remove({ id, reason })}
        onDone={() => router.push(pathOf(resource))}
        onClose={() => setAsking(false)}
      >
        {children}
      </ActWithReason>
    ),
  }
}
