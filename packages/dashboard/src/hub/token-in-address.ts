// A token after the # of the address (`/#token=…`) is never sent as part of an address. The page posts it like the
// log-in page and clears the address. The hub answers with this page again, logged in.
import { decodedIfValid } from '@tidings/live/portable';

export function takeTokenFromAddress(): void {
  const given = /[#&]token=([^&]+)/.exec(location.hash)?.[1];
  if (given === undefined) return;
  history.replaceState(null, '', location.pathname);
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/login';
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'token';
  field.value = decodedIfValid(given);
  form.append(field);
  document.body.append(form);
  form.submit();
}
