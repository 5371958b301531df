'use client'
import { useEffect } from 'react'

/** Outside systems: the tab and its links. Asks before what was typed is left behind. */
export function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || link.getAttribute('target') === '_blank' || event.ctrlKey || event.metaKey)
        return
      if (window.confirm('Leave without saving? What you changed here is lost.')) return
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
