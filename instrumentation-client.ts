import { config } from 'zod'

// The policy forbids eval. Zod would try it all the same, and a try that is refused is reported as a violation.
config({ jitless: true })
