'use client'
import { useEffect } from 'react'

/** Asked before what was typed is lost. */
export const leaveQuestion = 'Leave without saving? What you changed here is lost.'

/** Outside systems: the tab and its links. Asks before what was typed is left behind. */
export function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      if (!leavesThePage(event)) return
      if (window.confirm(leaveQuestion)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', onLeave)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onLeave)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [unsaved])
}

function leavesThePage({ target, ctrlKey, metaKey }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!link || ctrlKey || metaKey) return false
  if (link.hasAttribute('download') || link.getAttribute('target') === '_blank') return false
  return !(link.getAttribute('href') ?? '').startsWith('#')
}
