// How much the proofs try: `npm run prove` what a change can break, `npm run prove -- --whole` every variant of it.
export const isWhole = process.env['TIDINGS_PROOFS'] === 'whole';
