import { config } from 'zod'
import { watchHistory } from '@/components/forms/may-leave'

// The policy forbids eval. Zod would try it all the same, and a try that is refused is reported as a violation.
config({ jitless: true })

// Here, because the router does not listen yet: `watchHistory` says why.
watchHistory()
