import { config } from 'zod'
import { watchHistory } from '@/components/forms/may-leave'
import { remember } from '@/components/shell/remember'
import { zoneCookie } from './lib/words/time-zone'

// The policy forbids eval. Zod would try it all the same, and a try that is refused is reported as a violation.
config({ jitless: true })

// Here, because the router does not listen yet: `watchHistory` says why.
watchHistory()

// Days of lists begin at midnight of the reader, which the server does not know by itself.
remember(zoneCookie, Intl.DateTimeFormat().resolvedOptions().timeZone)
