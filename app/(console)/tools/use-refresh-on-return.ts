import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Outside system: the tab. Coming back to it shows what other admins changed meanwhile. */
export function useRefreshOnReturn(): void {
  const router = useRouter()
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') router.refresh()
    }
    document.addEventListener('visibilitychange', refresh)
    return () => document.removeEventListener('visibilitychange', refresh)
  }, [router])
}
