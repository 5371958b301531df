'use client'
import { OctagonX } from 'lucide-react'
import { Button } from '@/components/ui/button'
import type { Role } from '@/lib/protocol/tool'
import { useFreeze } from './use-freeze'

/** Shows, on every page, the button with which admins freeze the site. While it is frozen, everybody sees that. */
export function FreezeControl({ frozen, role }: { frozen: boolean; role: Role }) {
  const { ask, dialog } = useFreeze('freeze')
  if (frozen) {
    return (
      <a
        href="#site-freeze"
        className="inline-flex h-7 items-center gap-1.5 rounded-md bg-danger px-2 font-medium text-on-accent text-sm"
      >
        <OctagonX className="size-4" aria-hidden />
        Frozen
      </a>
    )
  }
  if (role !== 'admin') return null
  return (
    <>
      <Button size="sm" className="border-error/50 text-error" aria-haspopup="dialog" onClick={ask}>
        <OctagonX className="size-4" aria-hidden />
        <span className="max-sm:sr-only">Freeze</span>
      </Button>
      {dialog}
    </>
  )
}
