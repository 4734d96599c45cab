// Times in the format of an input for date and time: without a zone, in the browser's own.
const minuteMs = 60_000;

export function localTimeOf(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs)
    .toISOString()
    .slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}

export function isoTimeOf(local: string): string {
  return local === '' ? '' : new Date(local).toISOString();
}
